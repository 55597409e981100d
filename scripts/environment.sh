# Shared by run and test: makes .venv and installs a requirements file into it when that file has changed.

find_python() {
  for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  found=$(python3 --version 2>/dev/null || echo "no Python")
  echo "Tiebreak needs Python 3.11 or newer, and this machine has $found. Install a newer one, or name it: PYTHON=/path/to/python3 $0" >&2
  exit 1
}

# make_environment FILE
make_environment() {
  python=$(find_python)
  # A folder that was moved or whose Python is gone is made anew.
  if ! .venv/bin/python -c 'import sys, os; sys.exit(os.path.realpath(sys.prefix) != os.path.realpath(".venv"))' 2>/dev/null; then
    rm -rf .venv
    "$python" -m venv .venv
  fi
  wanted=$(cat requirements.txt "$1" | cksum)
  stamp=.venv/installed-$1
  if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    echo "Installing $1 into .venv (this takes a minute the first time) …" >&2
    .venv/bin/python -m pip install -qq --disable-pip-version-check -r "$1"
    echo "$wanted" > "$stamp"
  fi
}
