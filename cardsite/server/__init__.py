"""Processes of the site on one machine: start, watch and stop them, for `manage.py up` and the tests."""
