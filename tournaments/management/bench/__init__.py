"""Benchmarks behind `manage.py bench_pairing`."""
