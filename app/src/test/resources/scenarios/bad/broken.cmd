plan -f ./broken.yaml
