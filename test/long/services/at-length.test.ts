// All of what npm test tries a sample of.
import '../../service-api/mcp-http.test.ts'
