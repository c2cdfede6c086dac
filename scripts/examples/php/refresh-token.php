<?php
require __DIR__ . '/client.php';

$body = http_build_query(['grant_type' => 'refresh_token', 'refresh_token' => getenv('BLUEJAY_REFRESH_TOKEN')]);
$application = base64_encode(getenv('BLUEJAY_CLIENT_ID') . ':' . getenv('BLUEJAY_CLIENT_SECRET'));
[$status, $text] = request(getenv('BLUEJAY_URL') . '/oauth/token', [
    'method' => 'POST',
    'header' => ["Authorization: Basic $application", 'Content-Type: application/x-www-form-urlencoded'],
    'content' => $body,
    'ignore_errors' => true,
]);
$tokens = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
if ($status !== 200) {
    throw new RuntimeException("{$tokens['error']}: {$tokens['error_description']}");
}
// Keep the new refresh token: the old one works only once.
echo "$status {$tokens['token_type']} {$tokens['scope']}\n";
