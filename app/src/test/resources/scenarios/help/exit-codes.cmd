help exit-codes
