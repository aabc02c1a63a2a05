// npm test leaves this out: it has all of what npm test tries a sample of.
import '../../service-api/every-option.test.ts'
import '../../service-api/mcp-http.test.ts'
