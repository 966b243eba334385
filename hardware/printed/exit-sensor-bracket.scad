// Holds a slotted light barrier beside the exit, so that the edge of each card passes through the slot. The card
// slides over the floor; one arm of the fork is above it, the other below. Print standing on the wall's outer face.
//
// Lengths in millimetres. "Listed" are figures that sellers give for the common module with an LM393 comparator;
// modules differ, so measure yours. "Assumed" means that nobody has measured a launcher for it.

card_width = 56;             // measured; only for the check below
card_clearance = 0.8;        // between floor and card; assumed

board_length = 32;           // listed
board_width = 14;            // listed
board_hole_diameter = 3.2;   // listed as 3 mm
board_hole_from_fork = 15;   // from the middle of the fork to the hole; assumed
slot_width = 5;              // gap between the arms; listed
arm_thickness = 5;           // each arm of the fork, across the gap; assumed
fork_width = 6.6;            // along the card's travel; assumed
fork_depth = 9;              // how far the arms reach over the card; assumed

wall = 2.4;                  // assumed
floor_width = 24;            // how far the floor reaches under the card; assumed
length = 52;                 // along the card's travel; assumed
lip_slot_length = 8;         // room to move the bracket on the launcher's lip; assumed
lip_slot_width = 3.3;        // M3 screws

fork_span = slot_width + 2 * arm_thickness;
card_plane = wall + card_clearance;             // height of the card above the bottom
wall_below = fork_span / 2 - card_plane + 2;    // the lower arm hangs below the floor
wall_above = fork_span / 2 + card_plane + 2;
play = 0.3;                  // around the fork; assumed
fork_at = board_length / 2;  // middle of the fork along the travel

$fn = 48;

module fork_window() {
    translate([-1, fork_at - fork_width / 2 - play, card_plane - fork_span / 2 - play])
        cube([wall + fork_depth + 1, fork_width + 2 * play, fork_span + 2 * play]);
}

module lip_slot() {
    hull() for (end = [-1, 1])
        translate([end * (lip_slot_length - lip_slot_width) / 2, 0, -1]) cylinder(d = lip_slot_width, h = wall + 2);
}

assert(fork_depth + wall < floor_width, "the arms reach further than the floor");
assert(floor_width < card_width / 2, "the floor would reach under the middle of the card, where the roller may be");
assert(wall_below + wall_above >= board_width, "the wall is lower than the board");
assert(fork_at + board_hole_from_fork + 4 < length, "the board's screw lies outside the wall");

difference() {
    union() {
        translate([0, 0, -wall_below]) cube([wall, length, wall_below + wall_above]);
        cube([floor_width, length, wall]);
    }
    fork_window();
    translate([-1, fork_at + board_hole_from_fork, card_plane])
        rotate([0, 90, 0]) cylinder(d = board_hole_diameter, h = wall + 2);
    for (y = [6, length - 6]) translate([wall + floor_width / 2, y, 0]) lip_slot();
    // a chamfer at the front edge of the floor, so that no card stubs it
    translate([wall, 0, wall]) rotate([0, 90, 0]) linear_extrude(floor_width) polygon([[-1, -1], [1.2, -1], [-1, 2.2]]);
}
