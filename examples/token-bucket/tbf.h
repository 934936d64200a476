/* A token bucket in front of a queue, in C, with a bug to choose. */
#ifndef EXAMPLE_TBF_H
#define EXAMPLE_TBF_H

#ifdef __cplusplus
extern "C" {
#endif

enum { TBF_LIMIT = 3, TBF_BURST = 3, TBF_EARLY = 2 };
enum tbf_bug { TBF_CLEAN, TBF_NO_BURST /* tokens pile up while the queue is idle */ };
enum tbf_verdict { TBF_ACCEPTED = 1, TBF_DROPPED = 2 };

struct tbf {
  enum tbf_bug bug;
  unsigned noise; /* decides early drops */
  int tokens;
  int lengths[TBF_LIMIT];
  int head, count;
};

void tbf_init(struct tbf* q, enum tbf_bug bug, unsigned noise);
enum tbf_verdict tbf_enqueue(struct tbf* q, int length);
/* The length of the packet that goes out, or 0. */
int tbf_dequeue(struct tbf* q);
void tbf_tick(struct tbf* q);

#ifdef __cplusplus
}
#endif

#endif
