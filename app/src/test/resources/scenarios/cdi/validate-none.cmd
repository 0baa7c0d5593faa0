cdi validate ./none
