-- Asks for the hands of VIEWERS viewers in turn, beginning behind the first START of them. wrk runs it
-- for Scripts/bench-service.sh, and calls `request` once more than it sends: before it begins.
local prefix = os.getenv("PREFIX")
local viewers = tonumber(os.getenv("VIEWERS"))
local turn = tonumber(os.getenv("START")) - 2

function request()
  turn = turn + 1
  local viewer = prefix .. turn % viewers
  return wrk.format("GET", "/v1/feeds/quiz/viewers/" .. viewer .. "/hand")
end

function done(summary, latency)
  local errors = summary.errors
  io.write(
    string.format(
      "RESULT %d %d %d %d %d\n", summary.requests, summary.duration,
      errors.status + errors.connect + errors.read + errors.write + errors.timeout,
      latency:percentile(50), latency:percentile(99)))
end
