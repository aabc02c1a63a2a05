# The agent of Upbeat for Windows PowerShell 5.1 and later: tells, once a minute, what this machine says of itself
# (-Show prints it). It executes nothing that it is told, opens no port and does not update itself.
#   powershell -ExecutionPolicy Bypass -File install.ps1               installs it, as an administrator
#   powershell -ExecutionPolicy Bypass -File install.ps1 -Uninstall    removes it again
param([switch]$Uninstall, [switch]$Show, [switch]$Send)
$ErrorActionPreference = 'Stop'
$Version = '1.1.0'
$Address = 'https://upbeat.example.com/server/TOKEN'
$Folder = Join-Path $env:ProgramData 'UpbeatAgent'
$Program = Join-Path $Folder 'agent.ps1'
$AddressFile = Join-Path $Folder 'address.txt'
$Task = 'Upbeat agent'

# Numbers with a point, whatever the language of Windows.
function Format-Number($Value) { ([double]$Value).ToString('0.######', [Globalization.CultureInfo]::InvariantCulture) }

function Get-Figures($Class, $Filter) { Get-CimInstance -ClassName $Class -Filter $Filter -ErrorAction SilentlyContinue }

function Get-Machine {
  $key = Get-ItemProperty 'HKLM:\SOFTWARE\Microsoft\Cryptography' -Name MachineGuid
  $hash = [Security.Cryptography.SHA256]::Create().ComputeHash([Text.Encoding]::UTF8.GetBytes($key.MachineGuid))
  -join ($hash | ForEach-Object { $_.ToString('x2') })
}

function Get-Gauges($System) {
  "memory_total_bytes $(Format-Number ($System.TotalVisibleMemorySize * 1KB))"
  "memory_available_bytes $(Format-Number ($System.FreePhysicalMemory * 1KB))"
  $pages = @(Get-CimInstance Win32_PageFileUsage -ErrorAction SilentlyContinue)
  "swap_total_bytes $(Format-Number (($pages | Measure-Object AllocatedBaseSize -Sum).Sum * 1MB))"
  "swap_used_bytes $(Format-Number (($pages | Measure-Object CurrentUsage -Sum).Sum * 1MB))"
  foreach ($disk in Get-Figures Win32_LogicalDisk 'DriveType = 3') {
    if (-not $disk.Size) { continue }
    "file_system_size_bytes:$($disk.DeviceID) $(Format-Number $disk.Size)"
    "file_system_used_percent:$($disk.DeviceID) $(Format-Number (100 * ($disk.Size - $disk.FreeSpace) / $disk.Size))"
  }
}

# Raw counters: times are in units of 100 ns, of all processors together.
function Get-Counters {
  $cpu = Get-Figures Win32_PerfRawData_PerfOS_Processor "Name = '_Total'"
  $count = [Environment]::ProcessorCount
  "cpu_user_seconds $(Format-Number ($cpu.PercentUserTime * $count / 1e7))"
  "cpu_system_seconds $(Format-Number ($cpu.PercentPrivilegedTime * $count / 1e7))"
  "cpu_idle_seconds $(Format-Number ($cpu.PercentIdleTime * $count / 1e7))"
  foreach ($disk in Get-Figures Win32_PerfRawData_PerfDisk_PhysicalDisk "Name <> '_Total'") {
    "disk_read_bytes:$($disk.Name) $(Format-Number $disk.DiskReadBytesPersec)"
    "disk_written_bytes:$($disk.Name) $(Format-Number $disk.DiskWriteBytesPersec)"
    "disk_busy_seconds:$($disk.Name) $(Format-Number (($disk.Timestamp_Sys100NS - $disk.PercentIdleTime) / 1e7))"
  }
  foreach ($card in Get-Figures Win32_PerfRawData_Tcpip_NetworkInterface "Name <> 'isatap'") {
    "interface_received_bytes:$($card.Name) $(Format-Number $card.BytesReceivedPersec)"
    "interface_sent_bytes:$($card.Name) $(Format-Number $card.BytesSentPersec)"
    "interface_errors:$($card.Name) $(Format-Number ($card.PacketsReceivedErrors + $card.PacketsOutboundErrors))"
  }
}

function Get-Report {
  $system = Get-CimInstance Win32_OperatingSystem
  "upbeat-agent 1 $Version"
  '@host'; $env:COMPUTERNAME
  '@os'; "PRETTY_NAME=""$($system.Caption)"""
  '@kernel'; "Windows $($system.Version) $env:PROCESSOR_ARCHITECTURE"
  '@machine'; Get-Machine
  '@boot'; $system.LastBootUpTime.ToUniversalTime().ToString('s')
  '@cpus'; [Environment]::ProcessorCount
  '@processes'; $system.NumberOfProcesses
  '@gauges'; Get-Gauges $system
  '@uptime'; Format-Number ((Get-Date) - $system.LastBootUpTime).TotalSeconds
  '@counters'; Get-Counters
  '@time'; [DateTimeOffset]::UtcNow.ToUnixTimeSeconds()
}

function Send-Report {
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072 # TLS 1.2
  $body = [Text.Encoding]::UTF8.GetBytes((Get-Report) -join "`n")
  $uri = (Get-Content $AddressFile -TotalCount 1).Trim()
  Invoke-WebRequest -Uri $uri -Method Post -ContentType 'text/plain' -Body $body -UseBasicParsing -TimeoutSec 20 | Out-Null
}

function Remove-Agent {
  if (Get-ScheduledTask -TaskName $Task -ErrorAction SilentlyContinue) { Unregister-ScheduledTask $Task -Confirm:$false }
  if (Test-Path $Folder) { Remove-Item $Folder -Recurse -Force }
}

# As the local service, which may do little. Only it and administrators may read the address.
function Install-Agent {
  Remove-Agent
  New-Item $Folder -ItemType Directory | Out-Null
  icacls $Folder /inheritance:r /grant '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' '*S-1-5-19:(OI)(CI)RX' | Out-Null
  Copy-Item $PSCommandPath $Program
  # The installed script needs no address: it reads it from its file.
  (Get-Content $Program) -replace '^\$Address = .*', '$Address = ''''' | Set-Content $Program
  Set-Content $AddressFile $Address
  $action = New-ScheduledTaskAction -Execute 'powershell.exe' `
    -Argument "-NoProfile -NonInteractive -ExecutionPolicy Bypass -File ""$Program"" -Send"
  $trigger = New-ScheduledTaskTrigger -Once -At (Get-Date) -RepetitionInterval (New-TimeSpan -Minutes 1)
  $user = New-ScheduledTaskPrincipal -UserId 'S-1-5-19' -LogonType ServiceAccount
  $settings = New-ScheduledTaskSettingsSet -ExecutionTimeLimit (New-TimeSpan -Minutes 1) -MultipleInstances IgnoreNew `
    -StartWhenAvailable -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
  Register-ScheduledTask -TaskName $Task -Action $action -Trigger $trigger -Principal $user -Settings $settings | Out-Null
  Send-Report
  "Reports once a minute by the scheduled task '$Task'. To remove it: -File ""$Program"" -Uninstall"
}

if ($Uninstall) { Remove-Agent } elseif ($Show) { Get-Report } elseif ($Send) { Send-Report } else { Install-Agent }
