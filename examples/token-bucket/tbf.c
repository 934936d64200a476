#include "examples/token-bucket/tbf.h"

void tbf_init(struct tbf* q, enum tbf_bug bug, unsigned noise) {
  q->bug = bug;
  q->noise = noise;
  q->tokens = TBF_BURST;
  q->head = 0;
  q->count = 0;
}

enum tbf_verdict tbf_enqueue(struct tbf* q, int length) {
  if (q->count == TBF_LIMIT) return TBF_DROPPED;
  q->noise = q->noise * 1103515245U + 12345U;
  if (q->count >= TBF_EARLY && (q->noise >> 16) % 2 == 0) return TBF_DROPPED;
  q->lengths[(q->head + q->count) % TBF_LIMIT] = length;
  q->count++;
  return TBF_ACCEPTED;
}

int tbf_dequeue(struct tbf* q) {
  if (q->count == 0 || q->lengths[q->head] > q->tokens) return 0;
  const int length = q->lengths[q->head];
  q->head = (q->head + 1) % TBF_LIMIT;
  q->count--;
  q->tokens -= length;
  return length;
}

void tbf_tick(struct tbf* q) {
  if (q->tokens < TBF_BURST || q->bug == TBF_NO_BURST) q->tokens++;
}
