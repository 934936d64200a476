#include "cli/plot.h"

#include <fmt/format.h>

#include <algorithm>

namespace txproof::cli {

namespace {

constexpr double width = 720, panel = 200, left = 70, right = 20, top = 40, gap = 50;

// Text of a model in XML.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string panel_svg(const Course& course, double y0) {
  const auto& points = course.points;
  double low = 0;
  double high = 1;
  double last = 1;
  for (const CoursePoint& point : points) {
    low = std::min(low, static_cast<double>(point.least));
    high = std::max(high, static_cast<double>(point.most));
    last = std::max(last, static_cast<double>(point.step));
  }
  const auto x = [&](std::uint64_t step) {
    return left + (width - left - right) * static_cast<double>(step) / last;
  };
  const auto y = [&](double value) { return y0 + panel * (1 - (value - low) / (high - low)); };
  std::string out = fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n",
                                left, y0 - 8, escaped(course.name));
  out +=
      fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\" fill=\"none\" stroke=\"#555\"/>\n",
                  left, y0, y0 + panel, width - right);
  for (const double value : {low, (low + high) / 2, high}) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
                       left - 6, y(value) + 4, value);
  }
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">step {:.0f}</text>\n",
                     width - right, y0 + panel + 16, last);
  std::string band;
  std::string line;
  for (const CoursePoint& point : points) {
    band += fmt::format("{}{:.1f} {:.1f}", band.empty() ? "M" : "L", x(point.step),
                        y(static_cast<double>(point.most)));
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x(point.step), y(point.mean));
  }
  for (auto point = points.rbegin(); point != points.rend(); ++point) {
    band += fmt::format("L{:.1f} {:.1f}", x(point->step), y(static_cast<double>(point->least)));
  }
  if (points.empty()) return out;
  out += "<path d=\"" + band + "Z\" fill=\"#9ecae1\" fill-opacity=\"0.5\"/>\n";
  out += "<path d=\"" + line + "\" fill=\"none\" stroke=\"#08519c\" stroke-width=\"1.5\"/>\n";
  return out;
}

}  // namespace

std::vector<Course> courses_of(const checker::sampling::Simulation& simulation,
                               const std::vector<std::string>& expressions, std::uint64_t steps,
                               std::size_t points) {
  const std::uint64_t stride = std::max<std::uint64_t>(1, steps / std::max<std::size_t>(1, points));
  std::vector<Course> out;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    Course course;
    course.name = expressions[i];
    for (std::size_t at = 0;; ++at) {
      CoursePoint point;
      point.step = (at + 1) * stride;
      std::size_t runs = 0;
      for (const auto& run : simulation.runs) {
        if (run.course[i].size() <= at) continue;
        const program::Word value = run.course[i][at];
        point.least = runs == 0 ? value : std::min(point.least, value);
        point.most = runs == 0 ? value : std::max(point.most, value);
        point.mean += static_cast<double>(value);
        ++runs;
      }
      if (runs == 0) break;
      point.mean /= static_cast<double>(runs);
      course.points.push_back(point);
    }
    out.push_back(std::move(course));
  }
  return out;
}

std::string course_csv(const std::vector<Course>& courses) {
  std::string out = "step";
  std::size_t rows = 0;
  for (const Course& course : courses) {
    out += "," + quoted(course.name + " mean") + "," + quoted(course.name + " least") + "," +
           quoted(course.name + " most");
    rows = std::max(rows, course.points.size());
  }
  out += "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line;
    for (const Course& course : courses) {
      if (row >= course.points.size()) {
        line += ",,,";
        continue;
      }
      const CoursePoint& point = course.points[row];
      if (line.empty()) line = std::to_string(point.step);
      line += fmt::format(",{:g},{},{}", point.mean, point.least, point.most);
    }
    out += line + "\n";
  }
  return out;
}

std::string course_svg(const std::vector<Course>& courses, const std::string& title) {
  const double height = top + static_cast<double>(courses.size()) * (panel + gap);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2:.0f}\" y=\"16\">{3}</text>\n",
      width, height, left, escaped(title));
  double y0 = top;
  for (const Course& course : courses) {
    out += panel_svg(course, y0);
    y0 += panel + gap;
  }
  return out + "</svg>\n";
}

}  // namespace txproof::cli
