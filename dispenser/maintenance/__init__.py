"""Self-test, calibration and manual control: pure state machines, which ``bench`` connects to a driver."""
