// Errors and warnings in the logs of Kubernetes' components, counted by class: what differs from one time to the next
// (names, numbers, addresses, times) is the same in all of a class.

/** How often each class occurs. */
export type LogSummary = Map<string, number>;

/** `E1130 12:00:00.000000   123 file.go:12] "text" err="…" key="…"`: everything but the class and why is left out. */
const KLOG = /^([EWF])\d{4} [\d:.]+\s+\d+ ([\w.]+):\d+\] ("(?:[^"\\]|\\.)*")?(?:.*?( err="(?:[^"\\]|\\.)*"))?(.*)$/;
/** `{"time":…,"level":"ERROR","msg":…,"err":…}` */
const LEVELS = new Set(["ERROR", "WARN", "FATAL"]);

const VARIABLE: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>"],
  [/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/\b\d+\.\d+\.\d+\.\d+(:\d+)?\b/g, "<address>"],
  // Events are called after what they are about.
  [/\.[0-9a-f]{16}\b/g, ".<event>"],
  [/\bnode-\d\b/g, "<node>"],
  // Generated names end in random letters, out of those that make no words.
  [/-[bcdfghjklmnpqrstvwxz2456789]{6,10}(-[bcdfghjklmnpqrstvwxz2456789]{5})?\b/g, "-<generated>"],
  [/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "-<generated>"],
  [/[\w-]+-<generated>/g, "<generated>"],
  [/\b\d[\d.]*(ns|µs|ms|s|m|h)?\b/g, "<n>"],
];

/** The class of a line; undefined for lines that are neither errors nor warnings. */
function classOfLine(line: string): string | undefined {
  const klog = KLOG.exec(line);
  if (klog !== null) {
    const [, level, file, text, error = "", rest] = klog;
    return `${level} ${file}: ${constant(text === undefined ? rest : text + error)}`;
  }
  if (!line.startsWith("{")) return undefined;
  const { level, msg, err } = JSON.parse(line);
  return LEVELS.has(level) ? `${level[0]} ${constant(err === undefined ? msg : `${msg}: ${err}`)}` : undefined;
}

function constant(text: string): string {
  return VARIABLE.reduce((done, [pattern, name]) => done.replace(pattern, name), text);
}

export function summarize(log: string): LogSummary {
  const summary: LogSummary = new Map();
  for (const line of log.split("\n")) {
    const found = classOfLine(line);
    if (found !== undefined) summary.set(found, (summary.get(found) ?? 0) + 1);
  }
  return summary;
}

/** One line a class, most frequent first: its count in each log, then what it says. */
export function formatSummaries(summaries: readonly LogSummary[]): string {
  const classes = [...new Set(summaries.flatMap((summary) => [...summary.keys()]))];
  const total = (name: string) => summaries.reduce((sum, summary) => sum + (summary.get(name) ?? 0), 0);
  return classes.sort((a, b) => total(b) - total(a) || (a < b ? -1 : 1)).map((name) =>
    `${summaries.map((summary) => String(summary.get(name) ?? 0).padStart(6)).join("")}  ${name}`
  ).join("\n");
}
