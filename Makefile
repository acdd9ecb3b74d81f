# Short names for the daily commands; each also works without make.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: run test check audit bench vitals browsers hands evening image mutants

run:
	$(PYTHON) manage.py up

test:
	$(PYTHON) manage.py test

check:
	$(PYTHON) manage.py setup --dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint --quiet --lint templates
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	HTTPS=1 FORWARDED_ALLOW_IPS=127.0.0.1 ALLOWED_HOSTS=cards.example SECRET_KEY=$$($(BIN)/python -c "import secrets; print(secrets.token_urlsafe(64))") \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

# Known faults in the pinned dependencies, by pip-audit in an environment of its own. Its data come from the package index.
audit:
	$(PYTHON) -m venv .venv-audit
	.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	.venv-audit/bin/pip-audit --strict --disable-pip --no-deps --progress-spinner=off --timeout=10 --requirement requirements-dev.lock

bench:
	$(PYTHON) manage.py bench
	$(PYTHON) manage.py bench_pairing
	$(PYTHON) manage.py bench_live

# How quick and steady home, a lesson and a table are in Chromium.
vitals:
	$(PYTHON) manage.py setup --dev
	$(PYTHON) manage.py bench_vitals

# A smoke test in Firefox and WebKitGTK, as far as they are installed (Debian: firefox-esr, webkit2gtk-driver, xvfb).
browsers:
	$(PYTHON) manage.py setup --dev
	$(BIN)/pytest -rs tests/other_browsers.py

# Six whole games in Chromium, each by mouse, by finger upright and on the side, and by keys; half an hour on two quiet cores.
hands:
	$(PYTHON) manage.py setup --dev
	$(BIN)/pytest -v -s tests/whole_games.py

# A club evening of sixty in Chromium: a Swiss with late entries, no-shows, byes and a correction, then a knock-out. Pictures: EVENING_DIR.
evening:
	$(PYTHON) manage.py setup --dev
	$(BIN)/pytest -v -s tests/club_evening.py

# Builds the container image by buildah or, as root, by debootstrap (Debian has both), and asks its site; some minutes.
image:
	$(PYTHON) manage.py setup --dev
	$(BIN)/pytest -v -s -rs -o faulthandler_timeout=0 tests/image.py

# Breaks GAME's engine (or a module of games/core) in SAMPLE small ways, one at a time: which of them do the tests notice?
mutants:
	$(PYTHON) manage.py setup --dev
	$(BIN)/python -m tests.mutants $(GAME) --sample $(or $(SAMPLE),100)
