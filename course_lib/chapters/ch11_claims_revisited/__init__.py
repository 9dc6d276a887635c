"""What chapter 11, *Claims revisited: a ledger*, owns."""
