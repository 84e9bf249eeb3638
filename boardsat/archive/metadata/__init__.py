"""An archive for those who find and cite it: tables and records that other programs read."""
