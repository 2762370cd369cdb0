// Two plots of a comparison: how long suites are against how many mutants they kill, and what they
// cover after so many steps. Lengths differ by orders of magnitude, so their axes are logarithmic,
// but begin at 0: the initial state covers something, too.
//
// Names never lie on each other. In the first plot each is put beside its point, or wherever there
// is room around it, with a line between the two; points that coincide share their names. In the
// second one each criterion has a panel of its own, with the others in grey: nobody can tell 27
// colours apart.

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numbers>
#include <optional>
#include <utility>

#include "exporters/comparison.hpp"
#include "exporters/comparison_frame.hpp"
#include "exporters/step_text.hpp"
#include "exporters/svg.hpp"

namespace tw {
namespace {

constexpr std::string_view kBlue = "#2171b5";
constexpr std::string_view kOrange = "#d94801";

struct Point {
  double x = 0;
  double y = 0;
};

// Steps to pixels: logarithmic, and 0 has a place.
class StepAxis {
 public:
  StepAxis(double least, double most, double width) : width_(width) {
    for (double power = 1; power < 1e12; power *= 10)
      for (const double factor : {1.0, 2.0, 5.0})
        ticks_.push_back(power * factor);
    ticks_.insert(ticks_.begin(), 0);
    while (ticks_.size() > 2 && ticks_[1] <= least)
      ticks_.erase(ticks_.begin());
    while (ticks_.size() > 2 && ticks_[ticks_.size() - 2] >= most)
      ticks_.pop_back();
    low_ = std::log1p(ticks_.front());
    high_ = std::log1p(ticks_.back());
  }

  [[nodiscard]] double at(double steps) const {
    return (std::log1p(steps) - low_) / (high_ - low_) * width_;
  }
  [[nodiscard]] double steps_at(double x) const {
    return std::expm1(low_ + x / width_ * (high_ - low_));
  }
  [[nodiscard]] double last() const { return ticks_.back(); }

  /// Those whose numbers have room; in a small picture powers of ten only.
  [[nodiscard]] std::vector<double> ticks(double size, bool small) const {
    std::vector<double> out;
    double free = -1e9;
    for (const double tick : ticks_) {
      const double half = text_width(short_number(tick), size) / 2 + 3;
      const bool is_power = tick == 0 || std::log10(tick) == std::round(std::log10(tick));
      if (at(tick) - half < free || (small && !is_power))
        continue;
      out.push_back(tick);
      free = at(tick) + half;
    }
    return out;
  }

 private:
  double width_;
  std::vector<double> ticks_;
  double low_ = 0;
  double high_ = 1;
};

// Finds room for names.
class Labels {
 public:
  explicit Labels(const Svg::Box& frame) : frame_(frame) {}

  void avoid(const Svg::Box& box) { taken_.push_back(box); }

  /// A place for a box of this size near the point; far ones cost a line.
  [[nodiscard]] Svg::Box place(const Point& point, double width, double height) {
    constexpr double kNear = 7;
    constexpr int kAngles = 24;
    for (const bool strict : {true, false})
      for (double radius = kNear; radius < frame_.width + frame_.height; radius += 6)
        for (int i = 0; i < kAngles; ++i) {
          // To the right first, then alternately above and below.
          const double turn = (i % 2 == 0 ? 1 : -1) * ((i + 1) / 2);
          const double angle = turn * 2 * std::numbers::pi / kAngles;
          const Svg::Box box = around(point, radius, angle, width, height);
          if (is_free(point, box, strict)) {
            taken_.push_back(box);
            leaders_.emplace_back(point, nearest(box, point));
            return box;
          }
        }
    // There is more text than picture: below all.
    Svg::Box box{.x = frame_.x, .y = frame_.y + frame_.height, .width = width, .height = height};
    while (std::ranges::any_of(taken_, [&](const Svg::Box& other) { return other.meets(box); }))
      box.y += height;
    taken_.push_back(box);
    return box;
  }

  [[nodiscard]] static Point nearest(const Svg::Box& box, const Point& point) {
    return {.x = std::clamp(point.x, box.x, box.x + box.width),
            .y = std::clamp(point.y, box.y, box.y + box.height)};
  }

 private:
  // The side or corner that looks at the point is so far away from it.
  [[nodiscard]] static Svg::Box around(
      const Point& point, double radius, double angle, double width, double height) {
    const double dx = std::cos(angle);
    const double dy = -std::sin(angle);
    return {.x = point.x + dx * radius + (dx - 1) / 2 * width,
            .y = point.y + dy * radius + (dy - 1) / 2 * height,
            .width = width,
            .height = height};
  }

  [[nodiscard]] bool is_free(const Point& point, const Svg::Box& box, bool strict) const {
    if (box.x < frame_.x || box.y < frame_.y || box.x + box.width > frame_.x + frame_.width ||
        box.y + box.height > frame_.y + frame_.height)
      return false;
    const auto meets = [&box](const Svg::Box& other) { return other.meets(box); };
    if (std::ranges::any_of(taken_, meets))
      return false;
    if (!strict)
      return true;
    // Neither does its line cross another name, nor does it cover another line.
    const Point end = nearest(box, point);
    return std::ranges::none_of(taken_,
                                [&](const Svg::Box& other) {
                                  return !is_inside(other, point) && crosses(other, point, end);
                                }) &&
           std::ranges::none_of(leaders_, [&](const std::pair<Point, Point>& line) {
             return crosses(box, line.first, line.second);
           });
  }

  [[nodiscard]] static bool is_inside(const Svg::Box& box, const Point& p) {
    return p.x >= box.x && p.x <= box.x + box.width && p.y >= box.y && p.y <= box.y + box.height;
  }

  // Looked at in small steps, which is enough for names.
  [[nodiscard]] static bool crosses(const Svg::Box& box, const Point& a, const Point& b) {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const int steps = static_cast<int>(length / 2) + 1;
    for (int i = 0; i <= steps; ++i) {
      const double part = static_cast<double>(i) / steps;
      if (is_inside(box, {.x = a.x + part * (b.x - a.x), .y = a.y + part * (b.y - a.y)}))
        return true;
    }
    return false;
  }

  Svg::Box frame_;
  std::vector<Svg::Box> taken_;
  std::vector<std::pair<Point, Point>> leaders_;
};

constexpr std::string_view kGrid = "stroke=\"#dddddd\"";
constexpr std::string_view kAxis = "fill=\"none\" stroke=\"#888888\"";

class ScorePlot {
 public:
  explicit ScorePlot(const Comparison& comparison) : comparison_(comparison) {
    for (const Comparison::Row& row : comparison.mean_rows())
      add(row, false);
    add(comparison.mean_of_all_at_once(), true);
    // Names stand to the right of their points where they can: who is farthest there chooses first.
    std::ranges::stable_sort(marks_, std::ranges::greater(), &Mark::steps);
    // Crowded plots get room.
    height_ = std::max(420.0, 22 * static_cast<double>(marks_.size()));
  }

  std::string draw() {
    if (marks_.empty()) {
      svg_.text(0, 0, "There are no suites with a mutation score.", {});
    } else {
      axes();
      points();
    }
    return svg_.finish(picture_frame(comparison_, "Length of suites and mutants they kill",
                                     "a point per criterion; best is at the top left"));
  }

 private:
  struct Mark {
    std::vector<std::string> names;  // those that have the same place
    double steps = 0;
    double killed = 0;
    bool all = false;  // the run for all criteria
  };

  void add(const Comparison::Row& row, bool all) {
    if (!row.steps || !row.killed)
      return;
    const auto same = std::ranges::find_if(marks_, [&](const Mark& mark) {
      return mark.steps == *row.steps && mark.killed == *row.killed;
    });
    if (same != marks_.end())
      same->names.push_back(row.name);
    else
      marks_.push_back(
          {.names = {row.name}, .steps = *row.steps, .killed = *row.killed, .all = all});
  }

  [[nodiscard]] StepAxis axis() const {
    const auto [least, most] = std::ranges::minmax_element(marks_, {}, &Mark::steps);
    return {least->steps, most->steps, kWidth - kRoomRight};
  }

  [[nodiscard]] double down(double killed) const {
    return kRoomAbove + (height_ - kRoomAbove) * (1 - killed / 100);
  }

  void axes() {
    const StepAxis steps = axis();
    constexpr double kSize = 11;
    for (const double tick : steps.ticks(kSize, false)) {
      svg_.line(steps.at(tick), 0, steps.at(tick), height_, kGrid);
      svg_.text(steps.at(tick), height_ + 16, short_number(tick),
                {.size = kSize, .anchor = "middle"});
    }
    for (int percent = 0; percent <= 100; percent += 20) {
      svg_.line(0, down(percent), kWidth, down(percent), kGrid);
      svg_.text(-6, down(percent) + 4, std::to_string(percent), {.size = kSize, .anchor = "end"});
    }
    svg_.rect({.x = 0, .y = 0, .width = kWidth, .height = height_}, kAxis);
    svg_.text((kWidth - kRoomRight) / 2, height_ + 36, "steps of the suite (logarithmic)",
              {.anchor = "middle"});
    svg_.text(-36, height_ / 2, "mutants killed, percent of those not equivalent",
              {.anchor = "middle", .upright = true});
  }

  void points() {
    constexpr double kSize = 11;
    constexpr double kLine = kSize * 1.25;
    const StepAxis steps = axis();
    Labels labels({.x = 2, .y = 2, .width = kWidth - 4, .height = height_ - 4});
    const auto place = [&](const Mark& mark) {
      return Point{.x = steps.at(mark.steps), .y = down(mark.killed)};
    };
    for (const Mark& mark : marks_) {
      const Point at = place(mark);
      labels.avoid({.x = at.x - 5, .y = at.y - 5, .width = 10, .height = 10});
    }
    for (const Mark& mark : marks_) {
      const Point at = place(mark);
      double width = 0;
      std::vector<std::string> lines;
      for (const std::string& part :
           wrapped(fmt::format("{}", fmt::join(mark.names, ", ")), kSize, kWidth / 3)) {
        lines.push_back(part);
        width = std::max(width, text_width(part, kSize));
      }
      const Svg::Box box = labels.place(at, width, kLine * static_cast<double>(lines.size()));
      const Point end = Labels::nearest(box, at);
      if (std::hypot(end.x - at.x, end.y - at.y) > 9)
        svg_.line(at.x, at.y, end.x, end.y, "stroke=\"#999999\" stroke-width=\"0.7\"");
      double y = box.y + kSize * 0.95;
      for (const std::string& part : lines) {
        // Next to its point, on whichever side of it the box lies.
        const bool left = box.x + box.width <= at.x;
        svg_.text(left ? box.x + box.width : box.x, y, part,
                  {.size = kSize, .anchor = left ? "end" : "start"});
        y += kLine;
      }
    }
    for (const Mark& mark : marks_) {
      const Point at = place(mark);
      svg_.raw(fmt::format("<g><title>{}: {:.1f} steps, {:.1f} %</title>",
                           Svg::escaped(fmt::format("{}", fmt::join(mark.names, ", "))), mark.steps,
                           mark.killed));
      svg_.circle(at.x, at.y, 4,
                  mark.all ? fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"2\"", kBlue)
                           : fmt::format("fill=\"{}\" stroke=\"#ffffff\"", kBlue));
      svg_.raw("</g>\n");
    }
  }

  static constexpr double kWidth = 720;
  // For the names of what is longest and best.
  static constexpr double kRoomRight = 110;
  static constexpr double kRoomAbove = 20;
  const Comparison& comparison_;
  std::vector<Mark> marks_;
  double height_ = 0;
  Svg svg_;
};

// A panel per criterion.
class GrowthPlot {
 public:
  explicit GrowthPlot(const Comparison& comparison) : comparison_(comparison) {}

  std::string draw() {
    double most = 1;
    for (const ComparedModel* model : comparison_.compared())
      for (const ComparedCriterion& criterion : model->criteria)
        most = std::max(most, static_cast<double>(criterion.suite.steps));
    const StepAxis steps(0, most, kWidth);
    const std::size_t count = comparison_.criteria.size();
    std::string curves;
    for (std::size_t i = 0; i < count; ++i)
      for (const bool own : {true, false})
        if (std::string path = curve(steps, i, own); !path.empty())
          curves += fmt::format("<path id=\"{}{}\" d=\"{}\" fill=\"none\"/>\n", own ? "own" : "all",
                                i, path);
    svg_.raw("<defs>\n" + curves + "</defs>\n");
    const std::size_t columns = std::clamp<std::size_t>(count, 1, 4);
    for (std::size_t i = 0; i < count; ++i) {
      const auto column = static_cast<double>(i % columns);
      const auto row = static_cast<double>(i / columns);
      panel(steps, i, {.x = column * (kWidth + kGapX), .y = row * (kHeight + kGapY)}, curves);
    }
    legend();
    return svg_.finish(picture_frame(comparison_, "Coverage over steps",
                                     "percent of the feasible items that the first steps of a "
                                     "suite cover, its tests one after the other"));
  }

 private:
  // The mean share, over the models where the criterion has a suite, after so many steps: sampled
  // at every half pixel, which is all that can be seen.
  [[nodiscard]] std::string curve(const StepAxis& axis, std::size_t criterion, bool own) const {
    std::vector<const ComparedModel*> models;
    double end = 0;
    for (const ComparedModel* model : comparison_.compared())
      if (!model->criteria[criterion].suite.growth.empty() &&
          feasible(*model, criterion, own) != 0) {
        models.push_back(model);
        end = std::max(end, static_cast<double>(model->criteria[criterion].suite.steps));
      }
    if (models.empty())
      return "";
    std::string out;
    double last_y = -1;
    std::uint64_t before = 0;
    for (double x = 0;; x += 0.5) {
      const auto steps =
          static_cast<std::uint64_t>(std::min(end, std::floor(axis.steps_at(x) + 1e-6)));
      const bool is_last = static_cast<double>(steps) >= end;
      if (!out.empty() && steps == before && !is_last)
        continue;
      before = steps;
      double sum = 0;
      for (const ComparedModel* model : models)
        sum += share(*model, criterion, own, steps);
      const double y = kHeight * (1 - sum / static_cast<double>(models.size()));
      const double at = axis.at(static_cast<double>(steps));
      if (out.empty())
        out = fmt::format("M{} {}", short_number(at), short_number(y));
      else if (is_last || std::abs(y - last_y) > 0.05)
        out += fmt::format("H{}V{}", short_number(at), short_number(y));
      last_y = y;
      if (is_last)
        return out;
    }
  }

  [[nodiscard]] static std::uint64_t feasible(const ComparedModel& model,
                                              std::size_t criterion,
                                              bool own) {
    const std::vector<CoverageShare>& shares = model.criteria[criterion].suite.coverage;
    if (own)
      return shares[criterion].feasible;
    std::uint64_t sum = 0;
    for (const CoverageShare& share : shares)
      sum += share.feasible;
    return sum;
  }

  [[nodiscard]] static double share(const ComparedModel& model,
                                    std::size_t criterion,
                                    bool own,
                                    std::uint64_t steps) {
    const std::vector<Growth>& growth = model.criteria[criterion].suite.growth;
    const auto behind = std::ranges::upper_bound(growth, steps, {}, &Growth::steps);
    if (behind == growth.begin())
      return 0;
    const Growth& at = *std::prev(behind);
    return static_cast<double>(own ? at.own : at.all) /
           static_cast<double>(feasible(model, criterion, own));
  }

  void use(const std::string& id, const Point& at, std::string_view stroke, double width) {
    svg_.raw(
        fmt::format("<use xlink:href=\"#{}\" x=\"{}\" y=\"{}\" stroke=\"{}\" "
                    "stroke-width=\"{}\"/>\n",
                    id, short_number(at.x), short_number(at.y), stroke, width));
  }

  void panel(const StepAxis& steps,
             std::size_t number,
             const Point& at,
             const std::string& curves) {
    constexpr double kSize = 9;
    const std::string& name = comparison_.criteria[number];
    // The whole name in a tip, what fits in the picture.
    std::string title = wrapped(name, 11, kWidth - 14).front();
    if (title != name)
      title += "…";
    svg_.raw(fmt::format("<g><title>{}</title>\n", Svg::escaped(name)));
    svg_.text(at.x, at.y - 6, title, {.size = 11});
    for (const double tick : steps.ticks(kSize, true)) {
      const double x = at.x + steps.at(tick);
      svg_.line(x, at.y, x, at.y + kHeight, kGrid);
      svg_.text(x, at.y + kHeight + 12, short_number(tick), {.size = kSize, .anchor = "middle"});
    }
    for (const int percent : {0, 50, 100}) {
      const double y = at.y + kHeight * (1 - percent / 100.0);
      svg_.line(at.x, y, at.x + kWidth, y, kGrid);
      svg_.text(at.x - 4, y + 3, std::to_string(percent), {.size = kSize, .anchor = "end"});
    }
    svg_.rect({.x = at.x, .y = at.y, .width = kWidth, .height = kHeight}, kAxis);
    const auto has = [&curves](const std::string& id) {
      return curves.find("\"" + id + "\"") != std::string::npos;
    };
    for (std::size_t i = 0; i < comparison_.criteria.size(); ++i)
      if (const std::string id = fmt::format("own{}", i); i != number && has(id))
        use(id, at, "#cccccc", 0.6);
    if (const std::string id = fmt::format("all{}", number); has(id))
      use(id, at, kOrange, 1.2);
    if (const std::string id = fmt::format("own{}", number); has(id))
      use(id, at, kBlue, 1.8);
    else
      svg_.text(at.x + kWidth / 2, at.y + kHeight / 2 + 4, "no suite",
                {.size = 11, .anchor = "middle"});
    svg_.raw("</g>\n");
  }

  void legend() {
    const double x = svg_.extent().x;
    double y = svg_.extent().y + svg_.extent().height + 24;
    const auto entry = [&](std::string_view colour, double width, std::string_view what) {
      svg_.line(x, y - 4, x + 24, y - 4,
                fmt::format("stroke=\"{}\" stroke-width=\"{}\"", colour, width));
      svg_.text(x + 30, y, what, {.size = 11});
      y += 17;
    };
    entry(kBlue, 1.8, "items of the criterion itself");
    entry(kOrange, 1.2, "items of all criteria");
    entry("#cccccc", 1.2, "the other suites, their own items");
    svg_.text(x, y, "across: steps (logarithmic); up: percent", {.size = 11});
  }

  static constexpr double kWidth = 170;
  static constexpr double kHeight = 100;
  static constexpr double kGapX = 34;
  static constexpr double kGapY = 42;
  const Comparison& comparison_;
  Svg svg_;
};

}  // namespace

Svg::Frame picture_frame(const Comparison& comparison,
                         const std::string& title,
                         const std::string& what) {
  const std::vector<const ComparedModel*> models = comparison.compared();
  Svg::Frame out{.title = title,
                 .subtitles = {what},
                 .notes = comparison.notes(),
                 .description = {comparison.provenance()}};
  out.subtitles.push_back(models.size() == 1
                              ? models.front()->file
                              : fmt::format("mean of {}", plural(models.size(), "model")));
  for (const ComparedModel& model : comparison.models)
    if (!model.sha256.empty())
      out.description.push_back(fmt::format("sha256 {}  {}", model.sha256, model.file));
  return out;
}

std::string comparison_score_svg(const Comparison& comparison) {
  return ScorePlot(comparison).draw();
}

std::string comparison_growth_svg(const Comparison& comparison) {
  return GrowthPlot(comparison).draw();
}

}  // namespace tw
