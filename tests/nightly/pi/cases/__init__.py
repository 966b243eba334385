"""What must hold on a Pi, in the order of the files: nothing of ours is on it at first."""
