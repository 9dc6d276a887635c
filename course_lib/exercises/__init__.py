"""What students' answers meet: hints, the words of the kernel, their copies of the notebooks, the checker of proofs; recall."""
