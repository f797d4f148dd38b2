"""`python -m gumption`."""

from gumption.cli import main

if __name__ == "__main__":
    main()
