// Where text goes that is written piece by piece, so that nobody has to hold all of it.
#pragma once

#include <string>
#include <string_view>

namespace tw {

/// What goes wrong is remembered by the sink and asked for at the end; whoever writes goes on, or
/// looks at `good` now and then and stops early.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  virtual void write(std::string_view text) = 0;
  /// False: nothing that is written from now on arrives anywhere.
  [[nodiscard]] virtual bool good() const { return true; }
};

class StringSink final : public Sink {
 public:
  void write(std::string_view text) override { text_ += text; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace tw
