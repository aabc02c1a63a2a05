// npm test leaves this out: it has all of what npm test tries a sample of.
import '../../core/alerting/quiet-hours.test.ts'
import '../../core/on-call/who.test.ts'
import '../../engine/history/retain-sites.test.ts'
import '../../engine/on-call/dry-run-agrees.test.ts'
import '../../engine/on-call/races.test.ts'
import '../../imports/cron-recurrence.test.ts'
import '../../probes/redirect-targets.test.ts'
import '../../store/servers/uptimes.test.ts'
