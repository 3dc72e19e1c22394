int shared_sum(int n);

int main() { return shared_sum(4) == 11 ? 0 : 1; }
