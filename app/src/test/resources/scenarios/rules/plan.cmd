plan -f ./zones.yaml
