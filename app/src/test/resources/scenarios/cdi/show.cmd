cdi show gpu.example.com/gpu=1 --dir ./good
