top -f ./held.yaml -f ./cluster.yaml -o json --class gpu.example.com
