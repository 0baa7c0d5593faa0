plan -f ./missing.yaml
