cdi validate ./good ./bad
