// Runs a fuzz target on files, without libFuzzer. Usage: replay FILE...
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int main(int count, char **words)
{
    static uint8_t bytes[4096];
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(words[i], "rb");
        if (file == NULL) {
            perror(words[i]);
            return 2;
        }
        size_t length = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        fprintf(stderr, "%s\n", words[i]); // the last line names the file that ended the program
        LLVMFuzzerTestOneInput(bytes, length);
    }
    printf("%d files\n", count - 1);
    return 0;
}
