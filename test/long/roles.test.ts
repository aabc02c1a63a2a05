// As each role: npm test has time for two of them.
import '../browser/roles.test.ts'
