help environment
