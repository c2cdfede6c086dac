<?php
// Requests to Bluejay, in PHP 8.1 or later, without dependencies. Set BLUEJAY_URL and BLUEJAY_API_KEY.

/** Sends a request and returns the decoded answer. Throws with the error's code, message and page. */
function bluejay(string $method, string $path, ?array $body = null): array
{
    $headers = ['Authorization: Bearer ' . getenv('BLUEJAY_API_KEY')];
    $options = ['method' => $method, 'ignore_errors' => true, 'timeout' => 30];
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
        $options['content'] = json_encode((object) $body, JSON_THROW_ON_ERROR);
    }
    [$status, $text] = request(getenv('BLUEJAY_URL') . $path, $options + ['header' => $headers]);
    $answer = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    if ($status >= 400) {
        $issues = json_encode($answer['issues'] ?? []);
        throw new RuntimeException("{$answer['code']}: {$answer['message']} $issues See {$answer['docsUrl']}");
    }
    return $answer;
}

/** Uploads a file and returns the key by which letters and lists name it. */
function upload(string $file, string $mimeType, string $path = '/v1/uploads'): string
{
    $about = ['filename' => basename($file), 'mimeType' => $mimeType, 'sizeBytes' => filesize($file)];
    $upload = bluejay('POST', $path, $about);
    $headers = array_map(fn ($name, $value) => "$name: $value", array_keys($upload['headers']), $upload['headers']);
    $options = ['method' => 'PUT', 'header' => $headers, 'content' => file_get_contents($file)];
    [$status, $text] = request($upload['uploadUrl'], $options + ['ignore_errors' => true, 'timeout' => 60]);
    return $status < 300 ? $upload['s3Key'] : throw new RuntimeException("The store answered $status: $text");
}

/** Returns the status and the text of an HTTP answer. Throws when there is none. */
function request(string $url, array $options): array
{
    $text = file_get_contents($url, context: stream_context_create(['http' => $options]));
    if ($text === false) {
        throw new RuntimeException("There is no answer from $url.");
    }
    return [(int) explode(' ', $http_response_header[0])[1], $text];
}
