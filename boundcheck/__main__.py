"""`python -m boundcheck` is `boundcheck`."""

from boundcheck.cli import main

if __name__ == "__main__":
    main()
