// All of what npm test tries a sample of.
import '../../operations/monitors/monitor-report.test.ts'
import '../../postgres/backup/backup.test.ts'
import '../../postgres/embedded/server.test.ts'
import '../../store/history/roll-ups.test.ts'
