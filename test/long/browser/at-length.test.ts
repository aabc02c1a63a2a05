// All of what npm test tries a sample of.
import '../../browser/contacts.test.ts'
import '../../browser/monitor-form.test.ts'
import '../../browser/roles.test.ts'
