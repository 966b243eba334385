#!/bin/sh
# disk.sh ROOT.TAR BASE WORK MIB [PACKAGE]: Debian's packages and our few files in an ext4 file system, WORK/disk. Nothing is
# mounted. PACKAGE, a .deb, is installed as on every system that does not run yet.
tree=$3/tree
mkdir "$tree"
tar -x --same-permissions --numeric-owner -f "$1" -C "$tree"
install -D -m 644 "$2/agent.py" "$tree/usr/local/lib/pi/agent.py"
units=$tree/usr/lib/systemd/system
install -m 644 "$2/units/pi-agent.service" "$units"
install -D -m 644 "$2/units/as-on-a-pi.conf" "$units/dispenser.service.d/as-on-a-pi.conf"
systemctl --root="$tree" --quiet enable pi-agent.service
systemctl --root="$tree" --quiet set-default multi-user.target
# What takes time at each boot, and is not looked at here.
systemctl --root="$tree" --quiet mask getty.target systemd-update-utmp.service systemd-update-utmp-runlevel.service \
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer \
    systemd-tmpfiles-clean.timer
if [ $# = 5 ]; then
    cp "$5" "$tree/package.deb"
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 chroot "$tree" dpkg --install /package.deb
    rm "$tree/package.deb"
fi
rm -rf "$tree"/usr/share/doc/* "$tree"/usr/share/locale/* "$tree"/var/lib/apt/lists/* "$tree"/var/cache/apt/*
mkdir -p "$tree/var/log/journal" "$tree/brought"
printf '[Journal]\nRateLimitIntervalSec=0\nStorage=persistent\n' >"$tree/etc/systemd/journald.conf"
printf 'pi\n' >"$tree/etc/hostname"
printf '127.0.0.1 localhost pi\n' >"$tree/etc/hosts"
# Not its first boot, at which systemd would enable every unit there is, ours before anybody has said which launcher it is.
printf '%032x\n' 8112 >"$tree/etc/machine-id"
mkfs.ext4 -q -m 0 -L pi -d "$tree" "$3/disk" "$4M"
rm -rf --one-file-system "$tree"
