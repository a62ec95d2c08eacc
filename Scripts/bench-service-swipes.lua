-- Answers the first cards of VIEWERS viewers, then their second ones, and so on, each swipe an event
-- of its own. A viewer's next swipe comes so much later that the one before has long been answered.
-- wrk runs it for Scripts/bench-service.sh, and calls `request` once more than it sends: before it
-- begins.
local prefix = os.getenv("PREFIX")
local viewers = tonumber(os.getenv("VIEWERS"))
local turn = -2
local headers = { ["Content-Type"] = "application/json" }

function request()
  turn = turn + 1
  local viewer = prefix .. turn % viewers
  local card = math.floor(turn / viewers) + 1
  headers["Idempotency-Key"] = "swipe-" .. card
  return wrk.format(
    "POST", "/v1/feeds/quiz/viewers/" .. viewer .. "/swipes", headers,
    '{"card":"card-' .. card .. '","answer":"good"}')
end

function done(summary, latency)
  local errors = summary.errors
  io.write(
    string.format(
      "RESULT %d %d %d %d %d\n", summary.requests, summary.duration,
      errors.status + errors.connect + errors.read + errors.write + errors.timeout,
      latency:percentile(50), latency:percentile(99)))
end
