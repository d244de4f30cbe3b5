"""What every room may use and that knows no mathematics: errors, and tables as text, Markdown, HTML and LaTeX."""
