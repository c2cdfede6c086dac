/**
 * The limiter's rule, run by Redis in one step; `gcra-memory` is the same rule line by line.
 *
 * Two conditions, both needed: GCRA, which lets `burst` through at once and then one each interval, and a list of the
 * instants accepted in the last minute, because GCRA alone would let burst + limit through in the first minute.
 *
 * KEYS: a list for each question: the theoretical arrival time of the next request, then the accepted instants, the
 * newest first. A key may come more than once; its questions are answered one after the other.
 * ARGV: three for each question: limit a minute, burst, and in tests the present in microseconds (else Redis's own
 * clock, so that the clocks of the API's hosts do not matter). Returns three for each question: accepted 1 or 0,
 * remaining, microseconds until full or until allowed.
 */
export const gcraScript = `
local window = 60000000

local function take(key, limit, burst, now)
  local interval = math.ceil(window / limit)

  local arrival = tonumber(redis.call('LINDEX', key, 0) or '0')
  if arrival > now + burst * interval + 1000000 then
    redis.call('DEL', key)
    arrival = 0
  end

  local count = redis.call('LLEN', key) - 1
  while count > 0 and tonumber(redis.call('LINDEX', key, -1)) <= now - window do
    redis.call('RPOP', key)
    count = count - 1
  end
  if count < 0 then count = 0 end

  local start = math.max(arrival, now)
  local wait = start - (burst - 1) * interval - now
  if count >= limit then
    wait = math.max(wait, tonumber(redis.call('LINDEX', key, limit)) + window - now)
  end
  if wait > 0 then return 0, 0, wait end

  arrival = start + interval
  redis.call('LPOP', key)
  redis.call('LPUSH', key, string.format('%.0f', now), string.format('%.0f', arrival))
  redis.call('PEXPIRE', key, math.ceil(math.max(window, arrival - now) / 1000))
  return 1, math.min(math.floor((burst * interval - (arrival - now)) / interval), limit - count - 1), arrival - now
end

local time = redis.call('TIME')
local present = time[1] * 1000000 + time[2]
local answers = {}
for question, key in ipairs(KEYS) do
  local last = question * 3
  local limit, burst, now = tonumber(ARGV[last - 2]), tonumber(ARGV[last - 1]), tonumber(ARGV[last])
  answers[last - 2], answers[last - 1], answers[last] = take(key, limit, burst, now or present)
end
return answers
`;
