"""Self-test, calibration and manual control: pure machines, which ``bench`` joins to a driver."""
