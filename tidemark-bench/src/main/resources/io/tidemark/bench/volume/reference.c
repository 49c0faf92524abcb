/*
 * What the machine can do: a cache volume made, walked and evicted with the least that a program can do for it.
 *
 *   reference make ROOT FILES BUCKETS LEAVES   a cache of 16 KiB files, last used 2 hours to 30 days ago
 *   reference walk ROOT THREADS                opens every directory, looks at every file
 *   reference evict ROOT THREADS PERCENT       the same, then removes that share of the files, coldest first
 *   reference uses ROOT THREADS                the same as walk, then prints when each file was last used
 *
 * walk and evict print the number of files, the seconds, and those of the last step: "FILES SECONDS SECONDS". Names are those of the fs layout.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FILE_BYTES = 16384, NAME_BYTES = 72, BUFFER_BYTES = 65536, THREADS_MAX = 64, DEPTH_MAX = 4 };

struct entry { unsigned long inode; long offset; unsigned short length; unsigned char type; char name[]; };
struct file { long used; int directory; char name[NAME_BYTES]; };

static char **directories;
static int directory_count, directory_room, next_directory;
static struct file *files[THREADS_MAX];
static long file_count[THREADS_MAX], file_room[THREADS_MAX];
static int keep_files;

static struct file *victims;
static long victim_count, next_victim;

static void fail(const char *what) { perror(what); exit(1); }

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static unsigned long random_state = 88172645463325252UL;
static unsigned long random_next(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

static void make_directory(const char *path) {
  if (mkdir(path, 0755) != 0 && errno != EEXIST) fail(path);
}

static void make(const char *root, long count, int buckets, int leaves) {
  char path[4096];
  static const char config[] = "{\"model_name\": \"bench/model\"}\n";
  snprintf(path, sizeof path, "%s/bench-model_0123456789ab", root);
  make_directory(path);
  snprintf(path, sizeof path, "%s/bench-model_0123456789ab/config.json", root);
  int fd = open(path, O_CREAT | O_WRONLY, 0644);
  if (fd < 0 || write(fd, config, sizeof config - 1) < 0) fail(path);
  close(fd);
  int rank = snprintf(path, sizeof path, "%s/bench-model_0123456789ab_r0", root);
  make_directory(path);
  time_t now = time(NULL);
  for (long i = 0; i < count; i++) {
    int bucket = random_next() % buckets, leaf = random_next() % leaves;
    int end = rank + snprintf(path + rank, sizeof path - rank, "/%03x", bucket);
    make_directory(path);
    end += snprintf(path + end, sizeof path - end, "/%02x_g0", leaf);
    make_directory(path);
    snprintf(path + end, sizeof path - end, "/%03x%02x%011lx%016lx%016lx%016lx.bin", bucket, leaf,
             random_next() >> 20, random_next(), random_next(), random_next());
    fd = open(path, O_CREAT | O_WRONLY, 0644);
    if (fd < 0 || posix_fallocate(fd, 0, FILE_BYTES) != 0) fail(path);
    long used = now - 7200 - (long)(random_next() % (30L * 86400 - 7200));
    struct timespec times[2] = {{used, 0}, {used, 0}};
    futimens(fd, times);
    close(fd);
  }
}

static void find(const char *path, int depth) {
  char buffer[BUFFER_BYTES], child[4096];
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (fd < 0) return;
  long got;
  while ((got = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0)
    for (long at = 0; at < got;) {
      struct entry *e = (void *)(buffer + at);
      at += e->length;
      if (e->name[0] == '.' || e->type != 4) continue;
      snprintf(child, sizeof child, "%s/%s", path, e->name);
      if (depth + 1 < DEPTH_MAX - 1) {
        find(child, depth + 1);
        continue;
      }
      if (directory_count == directory_room) {
        directory_room = directory_room ? 2 * directory_room : 1024;
        directories = realloc(directories, directory_room * sizeof *directories);
      }
      directories[directory_count++] = strdup(child);
    }
  close(fd);
}

static void take(long thread, int directory, const char *name, long used) {
  if (file_count[thread] == file_room[thread]) {
    file_room[thread] = file_room[thread] ? 2 * file_room[thread] : 4096;
    files[thread] = realloc(files[thread], file_room[thread] * sizeof(struct file));
  }
  struct file *file = &files[thread][file_count[thread]];
  file->used = used;
  file->directory = directory;
  snprintf(file->name, NAME_BYTES, "%s", name);
}

static void *walk(void *number) {
  long thread = (long)number, got;
  char buffer[BUFFER_BYTES];
  struct statx facts;
  for (int at; (at = __sync_fetch_and_add(&next_directory, 1)) < directory_count;) {
    int fd = open(directories[at], O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (fd < 0) continue;
    while ((got = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0)
      for (long o = 0; o < got;) {
        struct entry *e = (void *)(buffer + o);
        o += e->length;
        if (e->type != 8 || statx(fd, e->name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &facts) != 0) continue;
        long used = facts.stx_atime.tv_sec > facts.stx_mtime.tv_sec ? facts.stx_atime.tv_sec : facts.stx_mtime.tv_sec;
        if (keep_files) take(thread, at, e->name, used);
        file_count[thread]++;
      }
    close(fd);
  }
  return NULL;
}

static int by_use(const void *a, const void *b) {
  long x = ((const struct file *)a)->used, y = ((const struct file *)b)->used;
  return (x > y) - (x < y);
}

static int by_directory(const void *a, const void *b) {
  return ((const struct file *)a)->directory - ((const struct file *)b)->directory;
}

static void *removing(void *unused) {
  enum { CHUNK = 128 };
  struct statx facts;
  int open_directory = -1, fd = -1;
  for (long from; (from = __sync_fetch_and_add(&next_victim, CHUNK)) < victim_count;)
    for (long i = from; i < from + CHUNK && i < victim_count; i++) {
      struct file *v = &victims[i];
      if (v->directory != open_directory) {
        if (fd >= 0) close(fd);
        fd = open(directories[v->directory], O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        open_directory = v->directory;
      }
      if (statx(fd, v->name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &facts) == 0) unlinkat(fd, v->name, 0);
    }
  return unused;
}

static void run(void *(*what)(void *), int threads) {
  pthread_t all[THREADS_MAX];
  for (long i = 0; i < threads; i++) pthread_create(&all[i], NULL, what, (void *)i);
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
}

int main(int count, char **arguments) {
  if (count == 6 && strcmp(arguments[1], "make") == 0) {
    make(arguments[2], atol(arguments[3]), atoi(arguments[4]), atoi(arguments[5]));
    return 0;
  }
  if (count < 4) return 2;
  int threads = atoi(arguments[3]);
  int uses = strcmp(arguments[1], "uses") == 0;
  keep_files = uses || count == 5;
  double start = seconds(), removal = start;
  find(arguments[2], 0);
  run(walk, threads);
  long total = 0;
  for (int i = 0; i < threads; i++) total += file_count[i];
  if (uses) {
    for (int i = 0; i < threads; i++)
      for (long j = 0; j < file_count[i]; j++) printf("%ld\n", files[i][j].used);
    return 0;
  }
  if (keep_files) {
    victims = malloc((total + 1) * sizeof *victims);
    for (int i = 0; i < threads; i++) {
      memcpy(victims + victim_count, files[i], file_count[i] * sizeof *victims);
      victim_count += file_count[i];
    }
    qsort(victims, victim_count, sizeof *victims, by_use);
    total = victim_count = (long)(victim_count * atof(arguments[4]) / 100);
    qsort(victims, victim_count, sizeof *victims, by_directory);
    removal = seconds();
    run(removing, threads);
  }
  double end = seconds();
  printf("%ld %.6f %.6f\n", total, end - start, end - removal);
  return 0;
}
