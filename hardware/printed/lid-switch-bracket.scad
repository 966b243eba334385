// Holds one or two lid switches (side by side on the same screws) at the launcher's rim: the first tells the Pi, the
// second cuts the motor's supply by itself. The switches go on the flat face, without ribs. Print lying on the base;
// no support.
//
// Lengths in millimetres. "Data sheet" is that of subminiature microswitches of the size of Omron's SS series;
// "assumed" means that nobody has measured a launcher for it: print one, try it, change the number.

switch_length = 19.8;        // data sheet
switch_hole_pitch = 9.5;     // data sheet
switch_hole_height = 2.9;    // hole to the underside of the switch; data sheet
switch_hole_diameter = 2.4;  // data sheet 2.35; M2 screws as long as the plate and one or two switches of 6.4 mm
switch_height = 10.2;        // data sheet

plate = 3;                   // thickness of both legs; assumed
margin = 3;                  // beside the switch; assumed
base_depth = 16;             // leg on the launcher's wall or floor; assumed
base_slot_length = 6;        // room to move the bracket until the lid just clicks the switch; assumed
base_slot_width = 3.3;       // M3 screws; wood screws of 3 mm fit, too
rib = 4;                     // stiffens the corner; assumed

width = switch_length + 2 * margin;
height = plate + switch_height + 2;

$fn = 48;

module slot(length, diameter, depth) {
    hull() for (end = [-1, 1]) translate([0, end * (length - diameter) / 2, 0]) cylinder(d = diameter, h = depth);
}

module leg_for_switch() {
    holes_at = plate + 1 + switch_hole_height;  // 1 mm of air below the switch
    difference() {
        cube([width, plate, height]);
        for (side = [-1, 1])
            translate([width / 2 + side * switch_hole_pitch / 2, -1, holes_at])
                rotate([-90, 0, 0]) cylinder(d = switch_hole_diameter, h = plate + 2);
    }
}

module leg_for_wall() {
    difference() {
        cube([width, base_depth, plate]);
        for (x = [width * 0.22, width * 0.78])
            translate([x, plate + (base_depth - plate) / 2, -1]) slot(base_slot_length + base_slot_width, base_slot_width, plate + 2);
    }
}

module ribs() {
    for (x = [0, width / 2 - 1, width - 2])
        translate([x, plate, plate])
            rotate([90, 0, 90]) linear_extrude(2) polygon([[0, 0], [rib, 0], [0, rib]]);
}

assert(base_depth > plate + base_slot_length + base_slot_width, "the slots do not fit on the base");

leg_for_switch();
leg_for_wall();
ribs();
