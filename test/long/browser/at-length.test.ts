// All of what npm test tries a sample of.
import '../../browser/roles.test.ts'
