// Sanitizers slow everything down by up to ten times: tests that go through very many cases go
// through fewer of them there.
#pragma once

namespace txproof::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

}  // namespace txproof::test
