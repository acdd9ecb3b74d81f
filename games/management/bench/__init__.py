"""Benchmarks behind `manage.py bench` and `manage.py bench_live`."""
