"""A crowd of pairs who play against each other over WebSockets, at any server that has a `Host`."""
