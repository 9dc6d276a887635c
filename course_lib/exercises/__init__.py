"""What students' answers meet: hints, the kernel's words, copies of notebooks, the checker of proofs, `recall`."""
