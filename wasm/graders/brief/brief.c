// brief is a code grader in C without a library: 1 for an answer of up to 200
// characters, less the longer it is. It is all that a grader has to be.
//
//   clang --target=wasm32 -O2 -nostdlib -Wl,--strip-all -o brief.wasm brief.c
//
//   evaluators:
//     - { name: brief, type: code_judge, script: [brief.wasm] }

typedef unsigned int u32;

struct vector { void *at; u32 length; };

#define WASI(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name)))
WASI(fd_read) int fd_read(int fd, struct vector *into, u32 count, u32 *got);
WASI(fd_write) int fd_write(int fd, struct vector *from, u32 count, u32 *put);

static char question[4 << 20];
static const char key[] = "\"candidate_answer\": \"";
enum { allowed = 200 };

static u32 read_all(void) {
  u32 length = 0, got = 0;
  do {
    struct vector rest = {question + length, sizeof question - length};
    if (fd_read(0, &rest, 1, &got) != 0) break;
    length += got;
  } while (got != 0 && length < sizeof question);
  return length;
}

// answer is where the answer's text begins. A quote inside any other text is
// written \", so the key with its quotes is found only where it is one.
static const char *answer(const char *end) {
  for (const char *p = question; p + sizeof key <= end; p++) {
    u32 n = 0;
    while (key[n] && p[n] == key[n]) n++;
    if (!key[n]) return p + n;
  }
  return 0;
}

// characters counts what the text up to its closing quote stands for: bytes that
// continue a UTF-8 character count nothing, an escape counts one.
static u32 characters(const char *p, const char *end) {
  u32 count = 0;
  for (; p < end && *p != '"'; p++) {
    if (*p == '\\') p += p[1] == 'u' ? 5 : 1;
    if ((*p & 0xC0) != 0x80) count++;
  }
  return count;
}

static char *number(char *to, u32 n) {
  char digits[10];
  int i = 0;
  do digits[i++] = '0' + n % 10; while (n /= 10);
  while (i) *to++ = digits[--i];
  return to;
}

static char *text(char *to, const char *from) {
  while (*from) *to++ = *from++;
  return to;
}

__attribute__((export_name("_start"))) void _start(void) {
  const char *end = question + read_all();
  const char *begin = answer(end);
  char said[200], *to = said;
  if (begin) {
    u32 count = characters(begin, end);
    u32 percent = count <= allowed ? 100 : allowed * 100 / count;
    to = text(to, "{\"score\": ");
    to = text(to, percent == 100 ? "1" : percent < 10 ? "0.0" : "0.");
    if (percent < 100) to = number(to, percent);
    to = text(to, ", \"reasoning\": \"");
    to = number(to, count);
    to = text(to, " characters\"}\n");
  }
  struct vector out = {said, to - said};
  u32 put;
  fd_write(1, &out, 1, &put);
}
