#!/bin/sh
# Write a program through a board's boot loader; when nobody answers at the speed given, try the other usual ones.
#
#   upload.sh MCU PORT BAUD PROGRAM KEPT
#
# The speed at which somebody answered is noted in the file KEPT, as `make` keeps its options.
set -u
mcu=$1 port=$2 wanted=$3 program=$4 kept=$5
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# avrdude asks ten times, for a minute; newer ones can be told to ask less. (No port: it fails before it touches one.)
patience=
if avrdude -p "$mcu" -c arduino -P /dev/null/nowhere -x attempts=3 2>&1 | grep -qi 'retry attempts'; then
	patience='-x attempts=3'
fi

# Everything it says is for all to see; what it ends with comes last in the file.
write_at() {
	{
		# shellcheck disable=SC2086 # two words, or none
		avrdude -p "$mcu" -c arduino -P "$port" -b "$1" $patience -D -U "flash:w:$program:i" 2>&1
		echo "ended with $?"
	} | tee "$said" | grep -v '^ended with'
	[ "$(tail -n 1 "$said")" = 'ended with 0' ]
}

keep() {
	[ "$1" = "$wanted" ] && return
	grep -v '^UPLOAD_BAUD ' "$kept" > "$said"
	echo "UPLOAD_BAUD ?= $1" >> "$said"
	cat "$said" > "$kept"
	echo "Its boot loader speaks at $1 baud: kept as UPLOAD_BAUD=$1."
}

tried=
for baud in "$wanted" 115200 57600; do
	case " $tried " in *" $baud "*) continue ;; esac
	[ -n "$tried" ] && echo "Nobody answers at $wanted baud. Trying $baud: old boot loaders and new ones differ."
	tried="$tried $baud"
	if write_at "$baud"; then
		keep "$baud"
		exit 0
	fi
	grep -qi 'not in sync\|not responding' "$said" || exit 1 # not a matter of speed
done
echo "No boot loader answers on $port, at none of$tried baud. Is that the launcher's port? A chip without boot loader" \
	"needs an ISP programmer: make isp." >&2
exit 1
