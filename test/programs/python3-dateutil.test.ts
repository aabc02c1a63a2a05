import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AT_LENGTH } from '../support/at-length.ts'
import { type Comparison, differences, randomWindows } from '../support/maintenance/compare.ts'
import { MANY_ZONES } from '../support/maintenance/zones.ts'
import { runProgram } from '../support/programs.ts'

/**
 * Days by dateutil, without a zone; instants by zoneinfo, whose `fold` of 0 moves skipped times on as a window does.
 * dateutil would look for an impossible day until the last year that Python knows, which is therefore an early one.
 * It takes either UNTIL or COUNT: every rule gets an UNTIL, and COUNT is counted here.
 */
const PROGRAM = `import datetime as dates, json, re, sys
from datetime import datetime, timezone
from functools import cache
from itertools import islice
from zoneinfo import ZoneInfo
from dateutil.rrule import rrulestr

UTC = timezone.utc
BEFORE = datetime.fromisoformat(sys.argv[1])
dates.MAXYEAR = BEFORE.year

@cache
def days(rule, start):
    count = re.search(r";COUNT=(\\d+)", rule)
    until = re.search(r";UNTIL=(\\w+)", rule)
    end = f"{BEFORE:%Y%m%dT%H%M%S}"
    if until and not until[1].endswith("Z"):
        end = until[1] if "T" in until[1] else until[1] + "T235959"
    plain = re.sub(r";(COUNT|UNTIL)=\\w+", "", rule)
    found = rrulestr(f"{plain};UNTIL={end}", dtstart=datetime.fromisoformat(start))
    return list(islice(found, int(count[1]) if count else None))

def starts(window):
    until = re.search(r";UNTIL=(\\w+Z)", window["rule"])
    last = datetime.strptime(until[1], "%Y%m%dT%H%M%S%z") if until else None
    zone = ZoneInfo(window["time_zone"])
    walls = [wall for wall in days(window["rule"], window["local_start"]) if wall < BEFORE]
    taken = [wall for wall in walls if wall.date().isoformat() not in window["exceptions"]]
    instants = {wall.replace(tzinfo=zone).astimezone(UTC) for wall in taken}
    return sorted(int(at.timestamp() * 1000) for at in instants if last is None or at <= last)

json.dump([starts(window) for window in json.load(sys.stdin)], sys.stdout)
`

// Years for which even old zone databases have the clock changes that were: rules for years to come are changed.
const COMPARISON: Comparison = {
  seed: 7,
  rules: AT_LENGTH ? 500 : 60,
  zones: AT_LENGTH ? MANY_ZONES : MANY_ZONES.slice(0, 8),
  years: [2022, 2024],
  // dateutil (2.9) wants every day of BYDAY to have an ordinal, or none.
  without: /BYDAY=([^;]*,)?(-?\d+[A-Z]{2},([^;]*,)?[A-Z]{2}\b|[A-Z]{2},([^;]*,)?-?\d+[A-Z]{2})/,
}

const { rules, zones } = COMPARISON
test(`${rules} rules in ${zones.length} zones begin when dateutil and zoneinfo say so`, (t) => {
  const input = JSON.stringify(randomWindows(COMPARISON))
  const before = `${COMPARISON.years[1]}-01-03T00:00`
  const answers = JSON.parse(runProgram('python3', ['-c', PROGRAM, before], { input }).stdout) as number[][]
  const { wrong, compared } = differences(COMPARISON, (_, __, at) => answers[at] ?? [])
  t.diagnostic(`${compared} occurrences`)
  assert.deepEqual(wrong, [])
  assert.ok(compared > (AT_LENGTH ? 500_000 : 5_000), `${compared}`)
})
