// npm test leaves this out: it has all of what npm test tries a sample of.
import '../../service-api/mcp-http.test.ts'
